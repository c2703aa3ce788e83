import Glibc
import WorkerProtocol

/// The descriptor that the program's end of the socket pair is reached by.
private let socketDescriptor: Int32 = 0

private func isSocket(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
}

switch CommandLine.arguments.dropFirst().first {
case "--version":
  print("photogrid-worker \(ProgramVersion.current)")
case nil where isSocket(socketDescriptor):
  Confinement.begin()
  var loop = RequestLoop(socketDescriptor)
  loop.run()
default:
  print("photogrid-worker decodes photos for photogrid, which starts it by itself.")
  exit(2)
}
