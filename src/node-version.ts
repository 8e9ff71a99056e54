/** The minimum in `engines` of package.json: older versions lack functions that are imported all over the source. */
const [oldest, patch] = [20, 15];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest || (major === oldest && minor < patch)) {
  process.stderr.write(`Latchkey needs Node ${oldest}.${patch} or newer, and this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
