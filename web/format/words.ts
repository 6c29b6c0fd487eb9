/** "final_expense" → "Final expense". */
export function words(code: string) {
  const spaced = code.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
