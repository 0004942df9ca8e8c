/** Stores a small file, says so, and is killed while a large one replaces it. */
import { folderBlobs } from '../../src/integrations/blobs/folder-blobs.ts';

const [folder = '', key = '', size = '0'] = process.argv.slice(2);
const blobs = folderBlobs(folder);
await blobs.put(key, Buffer.alloc(1000, 'a'), 'application/pdf');
process.stdout.write('kept\n');
await blobs.put(key, Buffer.alloc(Number(size), 'b'), 'application/pdf');
