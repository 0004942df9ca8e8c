/** What @types/qrcode says of the package's entry. */
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
