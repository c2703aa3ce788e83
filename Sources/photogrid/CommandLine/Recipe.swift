/// A configuration of another program that uses photogrid.
///
/// The manual page shows all recipes, and tests run them unchanged.
struct Recipe {
  /// The name of the file that contains the lines, or of the program that runs them.
  let name: String
  /// The purpose of the lines, which introduces them in the manual page.
  let purpose: String
  let lines: String

  /// All recipes, in the order of the manual page.
  static let all = [
    Recipe(
      name: "shell", purpose: "To choose a photo for another command:",
      lines: #"cp "$(photogrid --choose Photos)" chosen.png"#),
    Recipe(
      name: "git",
      purpose: "For git difftool -t photogrid, which shows two versions of a photo side by side:",
      lines: #"""
        git config difftool.prompt false
        git config difftool.photogrid.cmd 'photogrid -t --crop fit '\
        '--columns "flexible(10) flexible(10)" "$LOCAL" "$REMOTE"'
        """#),
    Recipe(
      name: "fzf", purpose: "fzf, with a preview; Enter opens the photo:",
      lines: #"""
        fzf --bind 'enter:execute(photogrid {})' --preview \
          'photogrid --print -g ${FZF_PREVIEW_COLUMNS}x${FZF_PREVIEW_LINES} {}'
        """#),
    Recipe(
      name: "lf/preview",
      purpose: "lf, with previews from the executable file ~/.config/lf/preview:",
      lines: """
        #!/bin/sh
        exec photogrid --print -g "$2x$3" "$1"
        """),
    Recipe(
      name: "lf/lfrc", purpose: "and in ~/.config/lf/lfrc, for all files that lf opens:",
      lines: #"""
        set ifs "\n"
        set previewer ~/.config/lf/preview
        cmd open $photogrid $fx
        """#),
    Recipe(
      name: "ranger/scope.sh",
      purpose: "ranger, with previews from the executable file ~/.config/ranger/scope.sh:",
      lines: """
        #!/bin/sh
        exec photogrid --print --colors 256 -g "$2x$3" "$1"
        """),
    Recipe(
      name: "ranger/rifle.conf", purpose: "and as the first line of ~/.config/ranger/rifle.conf:",
      lines: #"ext jpe?g|png|webp|gif|tiff?|heic|avif, has photogrid, terminal = photogrid "$@""#),
    Recipe(
      name: "nnn", purpose: "nnn, where Enter opens a photo and ;p prints it:",
      lines: #"NNN_OPENER=photogrid NNN_PLUG='p:!photogrid --print "$nnn"' nnn -c"#),
    Recipe(
      name: "yazi/plugins/photogrid.yazi/main.lua",
      purpose: "yazi, with previews from ~/.config/yazi/plugins/photogrid.yazi/main.lua:",
      lines: """
        local M = {}
        function M:peek(job)
          local size = job.area.w .. "x" .. job.area.h
          local output = Command("photogrid")
            :arg({ "--print", "-g", size, tostring(job.file.url) }):output()
          ya.preview_widget(job, ui.Text.parse(output.stdout):area(job.area))
        end
        function M:seek() end
        return M
        """),
    Recipe(
      name: "yazi/yazi.toml", purpose: "and in ~/.config/yazi/yazi.toml:",
      lines: #"""
        [plugin]
        prepend_previewers = [{ mime = "image/*", run = "photogrid" }]
        [opener]
        photos = [{ run = "photogrid %s", block = true }]
        [open]
        prepend_rules = [{ mime = "image/*", use = "photos" }]
        """#),
  ]
}
