import { wordConditions } from '#core/domain/webhooks/conditions/word-conditions.ts'
import { wordHours } from '#core/domain/webhooks/sending-hours/word-hours.ts'
import { readFits, type FitValues } from './fit-values.ts'

/** Summarises on one line which leads are sent, and when. */
export function describeFits(values: FitValues): string {
  const { conditions, sending_hours: hours } = readFits(values)
  const leads =
    conditions === undefined
      ? 'Conditions to be completed'
      : conditions === null
        ? 'Every lead'
        : wordConditions(conditions)
  const when =
    hours === undefined ? 'hours to be completed' : hours === null ? 'at any hour' : wordHours(hours)
  return `${leads} · ${when}`
}
