/** The lead that a row of a file says, as a source would post it: flat, by the fields that its columns stand for. */
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
