/**
 * Makes a lead of a file's row in the form in which a source would post it: flat, with the fields that its columns
 * stand for.
 */
export function mapRow(
  cells: readonly string[],
  { mapping, constants }: { mapping: readonly string[]; constants: Readonly<Record<string, string>> },
): Record<string, string> {
  const mapped = mapping.flatMap((field, index): [string, string][] => {
    const cell = cells[index] ?? ''
    return field === '' || cell.trim() === '' ? [] : [[field, cell]]
  })
  return Object.fromEntries([...Object.entries(constants), ...mapped])
}
