import Geometry
import PhotoGridCore

/// The chapters about what people do with photos.
extension Manual {
  static let synopsis = Chapter(
    "SYNOPSIS", code("photogrid [OPTIONS] [PATH|-]..."))

  static let description = Chapter(
    "DESCRIPTION",
    .paragraph(
      """
      photogrid shows folders of photos as a grid of tiles. Press Enter or click a tile, and the \
      photo zooms from its tile to fill the screen; press Esc, click it or drag it down, and it \
      shrinks back. Pictures are drawn with real pixels in terminals that support them, and with \
      characters everywhere else; both work over SSH and in tmux.
      """),
    .paragraph(
      """
      PATH is a folder or a photo; the default is the current folder. A single photo opens full \
      screen. A file you name explicitly always gets a tile. In a folder, files with a photo \
      extension count as photos, and so do files without an extension that contain a photo.
      """),
    code(
      """
      photogrid ~/Pictures              # a folder; -r includes its subfolders
      photogrid holiday.jpg             # one photo, full screen
      photogrid -r --group month ~/Pictures
      photogrid --filter 'beach date:2024..' --sort date ~/Pictures
      find . -newer x -name '*.jpg' | photogrid -i
      """),
    .paragraph(
      """
      Press `?` to list all keys by task, then `/` to search them. Press `:` (or `Ctrl-p`) and \
      type a few words to find any command: `burst` finds stacks, `delete` finds the trash, \
      `favorite` finds ratings. Enter runs it; commands that do not apply now are dimmed and say \
      why. Some take an argument: `sort date`, `layout mosaic`, `filter type:heic`, `goto \
      2019-07`, `slideshow 3`, `stacks 5`. Tab completes, Up recalls earlier commands, and typing \
      a number or a date takes you to that photo.
      """),
    .paragraph(
      """
      If you pause after a key such as `g` or `z`, a panel lists the keys that can follow; `hints \
      = off` in the configuration turns it off. Digits before a key are a count: `3l` moves three \
      photos to the right, `20G` goes to the 20th.
      """),
    .paragraph(
      """
      Formats: JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF and raw files (using their previews). Photos \
      are turned upright and converted to sRGB. Inside the sandbox, photogrid also decodes JPEG \
      XL, JPEG 2000, BMP, TGA, PNM, PSD, SVG, OpenEXR, HDR, FITS, ICO, PCX, DDS, XCF, XPM and \
      Sun rasters. A broken file affects only its own tile, which says what is wrong.
      """),
    .paragraph(
      """
      A video's tile (MP4, MOV, MKV, WebM or AVI) shows a frame and the video's length. Videos \
      play without sound when selected or in full screen; `o` opens them in a player. \
      `/usr/bin/ffmpeg` decodes them in a sandbox where it can read only the video. Without \
      ffmpeg, the tiles show the file names, but filters, sorting and the information panel still \
      work.
      """))

  static let commonTasks = Chapter(
    "COMMON TASKS",
    .paragraph(
      """
      Ten tasks with the keys for each. The last number is the fewest keys and clicks the task \
      takes in nsxiv, yazi, or Lightroom.
      """),
    .table(CommonTask.all.map { Row(terms: [$0.keys], text: $0.text) }))

  static let look = Chapter(
    "LOOK",
    blocks: [
      .paragraph(
        """
        A folder's tile shows the first few photos in it. Enter opens the folder and `BackSpace` \
        goes up, even above the folder you started in; marks are kept. Changes on disk show up as \
        they happen.
        """),
      .paragraph(
        """
        In a photo, zoom in up to 32x with `+`, or at the pointer with the wheel; pan by \
        dragging or with `h j k l`. Going to the next photo keeps the zoom and position. Drag a \
        photo down to close it, or sideways to see its neighbors.
        """),
      .paragraph(
        """
        `<` and `>` rotate only the view, and `|` and `_` flip it, in the grid too. `W` saves the \
        rotation: see MOVE FILES. `i` shows information about the photo, with a histogram.
        """),
      .paragraph(
        """
        `zo`, or `-` at the smallest tile size, zooms out to months and then years. Each tile \
        stands for one month or year and shows up to four of its photos. Enter, `+` or a click \
        opens it, and Esc returns to where you were and restores the previous order. Months are \
        always in date order, so opening one sorts by date. Filters apply there too, and `f` and \
        `gt` work; keys that act on a single photo do not.
        """),
      .paragraph(
        """
        Drag along the right edge to scroll anywhere in a long grid. The scale there shows what \
        the photos are grouped or sorted by: years and months, first letters or numbers of \
        names, subfolders, sizes, or stars.
        """),
    ] + keys("Look"))

  static let find = Chapter(
    "FIND",
    blocks: [
      .paragraph(
        """
        `/` goes to the first match as you type, and `n` and `N` go to the next and previous \
        match. `f` shows only the photos that match. Both accept all FILTER TERMS. Metadata is \
        read in the background while the bar counts the files. It is stored, so no file is read \
        twice.
        """),
      .paragraph(
        """
        `gt` goes to a year, month or day: `2019`, `2019-07` or `2019-07-14`. If nothing was taken \
        then, it goes to the nearest photo.
        """),
      .heading("Words"),
      .paragraph(
        """
        `/` and `f` find titles, captions and keywords stored in a photo (XMP or IPTC) or its \
        sidecar; `i` shows them, and `--json` prints them. `keyword:rome`, `title:` and `caption:` \
        search only there, and Tab completes keywords in use. `gk` edits the keywords of the \
        marked photos: see RATE. With `--captions`, or `captions = on` in the configuration, tiles \
        with labels (`t`) show the title or the caption, and the name only for photos that have \
        neither.
        """),
      .heading("Saved filters"),
      .paragraph(
        """
        `:save best-of-rome` saves the filter, order, grouping, and folder. To restore them, run \
        `photogrid @best-of-rome`, type the name after `:`, or open its tile, which comes first in \
        that folder. Saved filters are lines in ~/.config/photogrid/filters, whose columns (name, \
        order, grouping, folder, filter) are separated by tabs; you can edit the file. Options and \
        a folder on the command line override the saved ones.
        """),
    ] + keys("Find"))

  static let arrange = Chapter(
    "ARRANGE",
    blocks: [
      .paragraph(
        """
        `Tab` switches between four layouts: a grid of square tiles, a mosaic, a bento, and rows \
        of whole photos. When there are only a few photos, tiles grow until they fill the window. \
        A custom bento pattern, such as `--layout 'bento((1,(1,1)),1,1)'`, repeats. `--columns 3` \
        shows three columns, `--columns 'adaptive(24)'` shows as many as fit at a width of 24 \
        characters, and `--columns 'fixed(20) flexible(10,40)'` shows exactly the two columns \
        listed.
        """),
      .paragraph(
        """
        `gd`, `gm`, `gy`, `gf` and `g*` group photos by day, month, year, folder or rating, under \
        headings that stay visible. Date groups appear in the order the photos were taken, with \
        undated photos at the end; folder groups appear in path order; rating groups run from five \
        stars to none, with rejected photos at the end. Changing the sort order turns grouping \
        off, and `gn` restores the previous order.
        """),
      .paragraph(
        """
        `zs` or `--stacks on` folds photos taken with the same camera less than two seconds apart \
        into stacks (`--stacks 5`: five seconds). The number in the corner of a tile shows how \
        many photos are in the stack. Enter unfolds a stack, `zc` folds it again, and `zt` makes \
        the selected photo its cover. Marking, rating, `!` and `d` apply to all photos in a folded \
        stack; `d` says how many and asks first. Photos that a filter hides are left alone.
        """),
      .paragraph(
        """
        `,a` or `--sort similar` puts photos that look almost the same next to each other: copies \
        in other sizes or formats, slightly brighter versions, or shots from a burst. The filter \
        `similar` shows only those. Photos are compared using a 64-bit hash of their thumbnails, \
        which is kept in the index; missing hashes are computed in the background, and the bar \
        counts them.
        """),
      .paragraph(
        """
        A JPEG or HEIC and a raw file with the same name beside it count as one photo: the JPEG is \
        shown, with RAW in the corner of its tile. Both files are always marked, rated, renamed, \
        moved and trashed together, and `-o` and `!` get both names. A photo and a MOV with the \
        same name form a live photo in the same way, with LIVE in the corner. LIVE also marks \
        motion photos from Google and Samsung phones, which contain a video. With `--pairs off`, \
        every file has its own tile.
        """),
    ] + keys("Arrange"))

  static let choose = Chapter(
    "CHOOSE",
    blocks: [
      .paragraph(
        """
        Mark photos to act on all of them: move, copy, rename, trash, rate, compare, or hand them \
        to another program. `v` starts a range at the selection; move, then press `v` or `m` to \
        mark everything in between. Esc clears the marks.
        """),
      .paragraph(
        """
        `=` opens two to nine marked photos side by side, or the selected photo and the next one. \
        They zoom and pan together, showing the same part of each; capital letters (`Z`, `H J K \
        L`), or the mouse with Shift or Alt held, affect only one. Press `Tab` or an arrow key, or \
        click, to focus the photo that ratings, `m` and file commands apply to. `n` and `p`, and \
        `l` and `h` when nothing is zoomed, go to the next and previous photos, while a photo \
        pinned with `P` stays put. `x` removes a photo from the comparison and unmarks it without \
        changing its file (in culling mode, it also rejects the photo). Enter opens only the \
        focused photo; Esc closes them all.
        """),
    ] + keys("Choose"))

  static let rate = Chapter(
    "RATE",
    blocks: [
      .paragraph(
        """
        Ratings are stored as XMP, as in Lightroom, darktable, digiKam and Bridge: 0 to 5 stars or \
        rejected, and a color label. Marked photos are rated together; `u` undoes the rating. \
        Filters accept `rating:>=3`, `rating:0`, `rejected` and `label:red,none`.
        """),
      .paragraph(
        """
        In culling mode (`C`), single keys rate photos: `0` to `5` for stars, `x` to reject, `6` \
        to `9` for labels, Space to skip; each key then moves on to the next photo. The bar shows \
        how many are left. To move rejected photos to the trash, press `f`, type `rejected`, and \
        press Enter, then `Ctrl-a`, then `d`.
        """),
      .paragraph(
        """
        `gk` edits the keywords of the marked photos. The prompt lists the keywords they all \
        share, separated by commas; Tab completes keywords in use. Changes are written to the same \
        place as ratings. From the shell, `photogrid --keyword +rome,-draft *.jpg` changes \
        keywords, and `--rate 4` sets four stars.
        """),
      .paragraph(
        """
        Until you quit, `u` undoes ratings, labels and keywords: it restores every byte of the \
        sidecar or photo, and removes a newly created sidecar, unless another program has changed \
        the file since. If more than 120 kB of a file was replaced, it restores only the rating or \
        the keywords. Unlike moves and renames, these changes cannot be undone after a restart.
        """),
      .paragraph(
        """
        Ratings are read from sidecars (`a.jpg.xmp`, then `a.xmp`) and from the photos themselves. \
        A value in a sidecar overrides the one in the photo, property by property, no matter which \
        is newer. A rating is written to the existing sidecar, if any, or to a new `a.jpg.xmp`. \
        All other bytes of a sidecar and all other properties are kept; one in another encoding \
        becomes UTF-8. A sidecar that is not XMP is never touched.
        """),
      .paragraph(
        """
        With `ratings = embedded` in the configuration, ratings and keywords are written into \
        JPEG, PNG, WebP, TIFF and DNG files, and to any existing sidecar too. Only the XMP packet \
        changes: EXIF, IPTC, maker notes, previews and the picture stay byte for byte, and so do \
        times, permissions and attributes of the file. The photo gets a sidecar instead, and the \
        bar says once why, if its format is another one, if it has several names (hard links), if \
        it belongs to another user, or if the new photo cannot be verified.
        """),
      .paragraph(
        """
        The old file is replaced only after the new one has been read back. Sessions that change \
        the same photo wait for each other, so that every change is kept.
        """),
    ] + keys("Rate"))

  static let files = Chapter(
    "MOVE FILES",
    blocks: [
      .paragraph(
        """
        Commands apply to the photos of a range that `v` has begun, or else to the marked photos, or \
        else to the selected one, which stands for its stack; while a photo is open, only to that \
        photo. `u` undoes everything, one step at a time; moves, \
        renames, rotations and trashing can be undone even after a restart. Files are never \
        overwritten or deleted. `--read-only` turns all these commands off.
        """),
      .heading("Trash"),
      .paragraph(
        """
        `d` moves the selected photo to the same trash your file manager uses; `5d` moves five. If \
        photos are marked, it asks first: `d`, `y` or Enter confirms, any other key cancels. If a \
        photo can't be trashed, the bar says why. `q` right after `d` waits until all files have \
        been moved; another `q` quits immediately and reports what was done and what was not.
        """),
      .heading("Move and copy"),
      .paragraph(
        """
        `M` moves and `yc` copies photos to a folder. Tab completes its name, Up recalls earlier \
        folders (even from earlier sessions, unless `--private`), `~` is your home folder, and a \
        relative path starts at the current folder. A folder that does not exist is created after \
        a second Enter, or immediately if its name ends with `/`. If a name is taken, the photo \
        becomes `name-1.jpg`. A symbolic link leads to the same file from its new folder. Moving to another disk copies the photo to a hidden temporary \
        file, renames that once it is complete, and only then removes the original. `u` removes a copy only if it is \
        still identical to its original.
        """),
      .heading("Rename"),
      .paragraph(
        """
        `r` edits the name of the selected photo. For marked photos it asks for a pattern, such as \
        `{taken:%Y-%m-%d}_{n:3}{ext}`, and shows old and new names as you type. Photos that \
        would get the same name are numbered. Names already taken, and photos without the \
        requested date, are reported before anything is renamed. Photos can swap names.
        """),
      table(
        ("{name}", "the name without its extension"), ("{ext}", "the extension, with its dot"),
        ("{n}", "a sequence number; {n:3} has three digits"),
        ("{taken}", "when the photo was taken, as in {taken:%Y-%m-%d_%H%M%S}"),
        ("{modified}", "when the file was modified, with %Y %y %m %d %H %M %S"),
        ("{camera}", "the camera"), ("{rating}", "the number of stars"), ("{{", "the character {")),
      .heading("Save the rotation"),
      .paragraph(
        """
        `W` saves the rotations of photos as their orientation, in EXIF; JPEG, PNG, WebP and TIFF \
        files without EXIF get one. Nothing is decoded or recompressed, and embedded previews \
        rotate too. Other formats, raw photos, and files with several hard links get \
        `tiff:Orientation` in their sidecar, as from Lightroom. In a sidecar it replaces the \
        orientation in the file, and `W` changes both. Of a symbolic link, the photo it leads to \
        is rotated. `u` restores photos and sidecars byte for byte, or only the orientation if \
        another program has changed them since. Videos are not rotated.
        """),
      .heading("Files that go with a photo"),
      .paragraph(
        """
        Sidecars (`a.jpg.xmp`, `a.xmp`) are moved, copied, renamed, trashed and restored with \
        their photos, all together or not at all; an `a.xmp` shared with another photo of that \
        name stays with the other photo. The same goes for the video of a live photo (a MOV beside \
        a HEIC of the same name), which is also rated with the photo. A video beside a JPEG is \
        left alone.
        """),
      .heading("Other programs"),
      .paragraph(
        """
        `o` opens the photo with the desktop's default program, or with `--open-with COMMAND`. \
        `yy` copies its path through the terminal (tmux needs `set -s set-clipboard on`), and so \
        does Ctrl-c in the grid; a second Ctrl-c quits. `yi` copies the picture itself, for \
        pasting into other programs: the file's own bytes if it is a PNG or JPEG, otherwise a PNG. \
        kitty 0.27 and later accept it, even over SSH; elsewhere `wl-copy` or `xclip` is used. \
        `!` runs a shell command with the names as arguments (`"$@"` is added unless the command \
        uses them), or, after `!|`, with the names on its standard input.
        """),
    ] + keys("Files"))

  static let play = Chapter(
    "PLAY",
    blocks: [
      .paragraph(
        """
        `s` starts a slideshow at five seconds per photo, `3s` at three; with `-S`, photogrid \
        starts with a slideshow. Space pauses it. GIF and WebP animations play when selected and \
        in full screen; `a` pauses them and `.` steps through their frames.
        """),
      .paragraph(
        """
        A video plays in its tile shortly after you select it. In full screen, it plays \
        immediately and stops at the end; `a` pauses and resumes it. While it plays, `h` and `l` \
        or the arrow keys seek by five seconds; while it is paused, they go to the previous and \
        next photos, and `.` and `,` step through the video's frames. A line at the bottom shows \
        the time; drag it to seek. `a` plays the video of a live photo once. A slideshow plays \
        each video to the end.
        """),
      .paragraph(
        """
        `--motion reduced` replaces movement with cross-fades, for people prone to motion \
        sickness; `--motion none` turns off all motion; `A` slows everything down.
        """),
    ] + keys("Play") + keys("More"))
}
