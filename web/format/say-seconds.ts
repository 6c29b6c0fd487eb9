const UNITS = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** Returns a duration in the largest unit that divides it evenly: "5 minutes", "2 hours". */
export function saySeconds(seconds: number) {
  const [size, unit] = UNITS.find(([one]) => seconds % one === 0) ?? [1, 'second']
  const count = seconds / size
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
