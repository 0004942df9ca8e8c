// Says in one line that tests and checks lack their packages, as after "npm ci --omit=dev", instead of a stack.
const path = require('node:path');

const root = path.dirname(__dirname);
const missing = ['rolldown', 'typescript'].filter((name) => {
  try {
    require.resolve(`${name}/package.json`, { paths: [root] });
    return false;
  } catch {
    return true;
  }
});
if (missing.length > 0) {
  console.error(
    `Tests and checks need the development dependencies, and miss ${missing.join(' and ')}: run "npm ci".`,
  );
  process.exit(1);
}
