/** Removes spaces and dashes from a typed or pasted code. */
export function normaliseCode(code: string) {
  return code.replaceAll(/[\s-]/g, '')
}
