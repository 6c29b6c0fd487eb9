import { z } from 'zod'
import type { scheduleSchema } from '#core/contract/market/schedule.ts'
import { conditionsSchema, type Conditions } from '#core/contract/webhooks/conditions.ts'
import { sendingHoursSchema, type SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { US_ZONES } from '#web/components/schedule/time-zones.ts'
import { placeRuleFault, ruleDraftSchema, showRule, writeRule, type RulePart } from './rule-draft.ts'

/** The form's fields for conditions and sending hours. */
export const fitShape = {
  /** no rules: every lead */
  conditions: z.object({ match: z.enum(['all', 'any']), rules: z.array(ruleDraftSchema) }),
  /** no schedule: at any hour */
  sending_hours: z
    .object({
      timezone: z.string(),
      schedule: z.custom<z.infer<typeof scheduleSchema>>().nullable(),
      when_callable: z.boolean(),
    })
    .superRefine((hours, context) => {
      if (hours.schedule === null) return
      for (const { path, message } of sendingHoursSchema.safeParse(hours).error?.issues ?? []) {
        const isZone = path[0] === 'timezone'
        context.addIssue({
          code: 'custom',
          path: [isZone ? 'timezone' : 'schedule'],
          message: isZone ? message : 'These hours cannot be used',
        })
      }
    }),
}
const fitSchema = z.object(fitShape)
export type FitValues = z.infer<typeof fitSchema>

/** Defaults of a new configuration: every lead, at any hour. */
export function newFits(): FitValues {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const timezone = US_ZONES.some(({ value }) => value === own) ? own : 'America/New_York'
  return {
    conditions: { match: 'all', rules: [] },
    sending_hours: { timezone, schedule: null, when_callable: false },
  }
}

export function editFits({ conditions, sending_hours: hours }: WebhookConfig): FitValues {
  const fits = newFits()
  return {
    conditions:
      conditions === null
        ? fits.conditions
        : { match: conditions.match, rules: conditions.rules.map(showRule) },
    sending_hours: { ...(hours ?? fits.sending_hours), when_callable: hours?.when_callable === true },
  }
}

export interface FitFields {
  conditions: Conditions | null
  sending_hours: SendingHours | null
}

/** Converts the values to the two fields of the API; a member is undefined if it is invalid. */
export function readFits({ conditions, sending_hours: hours }: FitValues): {
  [Name in keyof FitFields]: FitFields[Name] | undefined
} {
  const rules = conditions.rules.map(writeRule)
  return {
    conditions:
      rules.length === 0 ? null : conditionsSchema.safeParse({ match: conditions.match, rules }).data,
    sending_hours:
      hours.schedule === null && !hours.when_callable ? null : sendingHoursSchema.safeParse(hours).data,
  }
}

/** Like {@link readFits}, for values that the form has checked. */
export function writeFits(values: FitValues): FitFields {
  const { conditions = null, sending_hours = null } = readFits(values)
  return { conditions, sending_hours }
}

export type FitPlace =
  | `conditions.rules.${number}.${RulePart}`
  | 'conditions.match'
  | 'sending_hours.timezone'
  | 'sending_hours.schedule'

/** Returns the form field of a server error whose path begins with `conditions` or `sending_hours`. */
export function placeFitFault(
  path: string,
  message: string,
): { field: FitPlace; message: string } | undefined {
  const [head, member, index, ...rest] = path.split('.')
  if (head === 'sending_hours')
    return { field: member === 'timezone' ? `${head}.${member}` : `${head}.schedule`, message }
  if (head !== 'conditions') return undefined
  if (member !== 'rules' || !/^\d+$/.test(index ?? '')) return { field: 'conditions.match', message }
  const { part, message: sentence } = placeRuleFault(rest, message)
  return { field: `conditions.rules.${Number(index)}.${part}`, message: sentence }
}
