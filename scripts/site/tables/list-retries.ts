import { USUAL_RETRY_STEPS } from '#core/domain/webhooks/retry-schedule.ts'
import { writeTable } from './write-table.ts'

const UNITS = [
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** The time of each attempt, unless an answer asks for a longer wait. */
export function listRetries(): string {
  let total = 0
  const rows = [0, ...USUAL_RETRY_STEPS].map((step, index) => {
    total += step
    return [String(index + 1), index === 0 ? 'at once' : writeDuration(step), writeDuration(total)]
  })
  return writeTable(['Attempt', 'Wait before it', 'After the first, about'], rows)
}

function writeDuration(seconds: number): string {
  let rest = seconds
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
