// Builds web/ into web/dist, unless the stamp in it says that it is current. It is CommonJS, so that older Nodes run it too.
// It runs at each install and start, and makes none fail: without Vite it says how to get the
// dashboard, and after a failed build the last one stays. It builds beside and renames, so that two at once are no harm.
const fs = require('node:fs');
const path = require('node:path');
const crypto = require('node:crypto');
const childProcess = require('node:child_process');

const root = path.dirname(__dirname);
const web = path.join(root, 'web');
const dist = path.join(web, 'dist');
const stampFile = path.join(dist, 'stamp.txt');
/** Parts of the build that are not in web/. */
const besides = ['package-lock.json', 'scripts/build-web.cjs', 'scripts/compress-web.cjs'];

function filesIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return /^(dist.*|node_modules|\..*)$/.test(entry.name) ? [] : filesIn(file);
    return [file];
  });
}

function makeStamp() {
  const hash = crypto.createHash('sha256');
  const files = filesIn(web).concat(besides.map((file) => path.join(root, file)));
  files.sort().forEach((file) => {
    if (!fs.existsSync(file)) return;
    hash.update(path.relative(root, file).split(path.sep).join('/'));
    hash.update('\0');
    hash.update(fs.readFileSync(file));
    hash.update('\0');
  });
  return hash.digest('hex');
}

function readStamp() {
  try {
    return fs.readFileSync(stampFile, 'utf8');
  } catch {
    return '';
  }
}

function viteFile() {
  try {
    return path.join(path.dirname(require.resolve('vite/package.json', { paths: [root] })), 'bin/vite.js');
  } catch {
    return undefined;
  }
}

function run(args) {
  const done = childProcess.spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: Object.assign({}, process.env, { NODE_ENV: 'production' }),
  });
  if (done.status === 0) return;
  throw new Error((done.stderr || done.stdout || String(done.error)).trim().slice(-2000));
}

/** Whoever is second keeps what the first put there. */
function putInPlace(made, stamp) {
  const old = `${dist}-old-${process.pid}`;
  try {
    if (readStamp() === stamp) return;
    if (fs.existsSync(dist)) fs.renameSync(dist, old);
    fs.renameSync(made, dist);
  } catch (error) {
    if (readStamp() !== stamp) throw error;
  } finally {
    fs.rmSync(old, { recursive: true, force: true });
  }
}

function build(vite, stamp) {
  const made = `${dist}-${process.pid}`;
  try {
    run([vite, 'build', web, '--outDir', made, '--logLevel', 'error']);
    run([path.join(__dirname, 'compress-web.cjs'), made]);
    fs.writeFileSync(path.join(made, 'stamp.txt'), stamp);
    putInPlace(made, stamp);
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

function main() {
  if (!fs.existsSync(path.join(web, 'index.html'))) return;
  const stamp = makeStamp();
  if (readStamp() === stamp) return;
  const vite = viteFile();
  if (vite === undefined) {
    console.error(
      'The dashboard is not built: Vite is a development dependency. Run "npm ci --include=dev".',
    );
    return;
  }
  console.error('Building the dashboard ...');
  build(vite, stamp);
}

try {
  main();
} catch (error) {
  console.error(`The dashboard was not built: ${error.message}`);
}
