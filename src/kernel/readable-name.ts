/** What leaves a gap or nothing, although some of it counts as a letter or a symbol. */
const blank = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800]/gu;

/** What is said of one that cannot. */
export const wrongName = 'Tiene que llevar algo que se pueda leer.';

/** Whether there is anything to see of a name that others read: of a person, a company, an application. */
export function canBeRead(name: string): boolean {
  return name.replace(blank, '') !== '';
}
