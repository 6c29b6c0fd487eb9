import type { Grade } from '#core/contract/webhooks/certification-grade.ts'
import type { Tone } from '#web/ui/show/tone.ts'

/** Green if no case failed; amber for all others, which take leads too. */
export function toneOf(grade: Grade): Tone {
  return grade === 'A' ? 'success' : 'waiting'
}
