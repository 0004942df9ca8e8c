// Says in one line what is wrong with the Node that is about to run Folio, instead of a syntax error.
// It is CommonJS in old syntax, so that any Node can run it. 24.7 is the first with crypto.argon2, which passwords need.
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
if (major < 24 || (major === 24 && Number(parts[1]) < 7)) {
  console.error(
    'Folio runs on Node 24.7 or newer. This is Node ' +
      process.versions.node +
      '. On Linux x64/arm64 and Windows x64, ' +
      '"npm ci" brings Node 24 along as an optional package: run it without --omit=optional. ' +
      'Elsewhere install Node 24.7 or newer first.',
  );
  process.exit(1);
}
