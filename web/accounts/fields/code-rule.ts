/** What was typed or pasted, without spaces and dashes. */
export function normaliseCode(code: string) {
  return code.replaceAll(/[\s-]/g, '')
}

export function codeRule(code: string) {
  return /^\d{6}$/.test(normaliseCode(code)) || 'Type the six digits'
}
