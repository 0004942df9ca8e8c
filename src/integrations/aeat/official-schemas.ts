/**
 * The authority's own schemas, from the folder in FOLIO_AEAT_SCHEMAS; they are not part of this project. Nothing is
 * read from the network: the one remote import (xmldsig) is in the folder too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlParseError,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import { namespaces } from './names.ts';
import { openXml } from './xml-tree.ts';

export type OfficialSchemas = {
  /** The errors of a record, a message without its envelope, an answer or a signed event, as `line 1: ...`. */
  findFaults(xml: string): string[];
};

const schemaFiles: Readonly<Record<string, string>> = {
  [namespaces.record]: 'SuministroLR.xsd',
  [namespaces.message]: 'SuministroLR.xsd',
  [namespaces.answer]: 'RespuestaSuministro.xsd',
  [namespaces.event]: 'EventosSIF.xsd',
};

const signatureSchema = 'xmldsig-core-schema.xsd';
const signatureUrl = `http://www.w3.org/TR/xmldsig-core/${signatureSchema}`;
const faultsMax = 20;

/** Gives files to the parser under invented addresses. The parser keeps it, so the process has one. */
const files = new XmlBufferInputProvider({});
let is_registered = false;
const loaded = new Map<string, OfficialSchemas>();

/** Its message names the file and what is wrong with it, in one line. */
export class SchemaFault extends Error {}

/**
 * Loads a folder once in a process.
 * @throws SchemaFault when a schema cannot be compiled; Error when one cannot be read
 */
export function loadOfficialSchemas(folder: string): OfficialSchemas {
  const known = loaded.get(folder);
  if (known !== undefined) return known;
  const base = `folio-schemas://${loaded.size}/`;
  if (!is_registered) is_registered = xmlRegisterInputProvider(files);
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.xsd')) continue;
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    files.addBuffer(base + name, bytes);
    if (name === signatureSchema) files.addBuffer(signatureUrl, bytes);
  }
  const validators = new Map<string, XsdValidator>();
  for (const file of new Set(Object.values(schemaFiles))) validators.set(file, compile(folder, base, file));
  const schemas = { findFaults: (xml: string) => findFaults(validators, xml) };
  loaded.set(folder, schemas);
  return schemas;
}

function compile(folder: string, base: string, file: string): XsdValidator {
  const bytes = new Uint8Array(readFileSync(join(folder, file)));
  try {
    using schema = XmlDocument.fromBuffer(bytes, { url: base + file });
    return XsdValidator.fromDoc(schema);
  } catch (error) {
    if (!(error instanceof XmlValidateError || error instanceof XmlParseError)) throw error;
    const [said = ''] = error.message.replaceAll(base, '').split('\n');
    throw new SchemaFault(`${file}: ${said}`, { cause: error });
  }
}

function findFaults(validators: ReadonlyMap<string, XsdValidator>, xml: string): string[] {
  try {
    using document = openXml(xml);
    const validator = validators.get(schemaFiles[document.root.namespaceUri] ?? '');
    if (validator === undefined) return ['line 1: the root belongs to none of the schemas'];
    validator.validate(document);
    return [];
  } catch (error) {
    if (error instanceof XmlValidateError || error instanceof XmlParseError)
      return error.details.slice(0, faultsMax).map(({ line, message }) => `line ${line}: ${message.trim()}`);
    return [`line 1: ${error instanceof Error ? error.message : 'cannot be read'}`];
  }
}
