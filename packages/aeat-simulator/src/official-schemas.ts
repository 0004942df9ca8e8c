/**
 * The authority's own schemas are not part of this package: the caller gives a folder.
 * It also holds the W3C signature schema, which they import.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlDocument,
  type XmlElement,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

const files = [
  'SuministroLR.xsd',
  'SuministroInformacion.xsd',
  'ConsultaLR.xsd',
  'RespuestaSuministro.xsd',
  'RespuestaConsultaLR.xsd',
  'xmldsig-core-schema.xsd',
];
const prefix = 'aeat-simulator:';
/** The library cannot remove a provider, so the process has one. */
const provider = new XmlBufferInputProvider({});
let is_registered = false;

export type OfficialSchemas = {
  /** The first error, or null. */
  faultIn: (payload: XmlElement, schema: string) => string | null;
  dispose: () => void;
};

/** @throws when the folder lacks one of the files */
export function loadOfficialSchemas(folder: string): OfficialSchemas {
  const missing = files.filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join(', ')}`);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8').replace(
      /schemaLocation="(?:[^"]*\/)?([^"/]+)"/g,
      `schemaLocation="${prefix}$1"`,
    );
    provider.addBuffer(`${prefix}${file}`, Buffer.from(text));
  }
  if (!is_registered) is_registered = xmlRegisterInputProvider(provider);
  const loaded = new Map<string, { document: XmlDocument; validator: XsdValidator }>();
  const validatorOf = (file: string) => {
    const known = loaded.get(file);
    if (known) return known.validator;
    const text = readFileSync(join(folder, file), 'utf8').replace(
      /schemaLocation="(?:[^"]*\/)?([^"/]+)"/g,
      `schemaLocation="${prefix}$1"`,
    );
    const document = XmlDocument.fromString(text, { url: `${prefix}${file}` });
    const entry = { document, validator: XsdValidator.fromDoc(document) };
    loaded.set(file, entry);
    return entry.validator;
  };
  return {
    faultIn(payload, schema) {
      try {
        validatorOf(schema).validate(payload);
        return null;
      } catch (error) {
        if (error instanceof XmlValidateError) return error.message.trim().split('\n', 1)[0] ?? 'no válido';
        throw error;
      }
    },
    dispose() {
      for (const { document, validator } of loaded.values()) {
        validator.dispose();
        document.dispose();
      }
      loaded.clear();
    },
  };
}
