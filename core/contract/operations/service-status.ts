import { z } from 'zod'
import { reasonSchema } from '../admin-note.ts'
import { trimText } from '../trim-invisible.ts'

/** The objective: this share of leads begins its first attempt so soon (docs/operations/alerts.md). */
export const OBJECTIVE = { percent: 99.9, seconds: 5 } as const
/** Days without this many leads have no percentage: it would say how few there were. */
export const FEWEST_LEADS = 20
/** Days that the status page shows. */
export const STATUS_DAYS = 30

const percent = z.number().min(0).max(100)

const textOf = (most: number, missing: string) =>
  z.string(missing).overwrite(trimText).min(1, missing).max(most, `Is too long (at most ${most} characters)`)

/** An incident, as administrators wrote it: plain text. */
const shownIncidentSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  message: z.string(),
  began_at: z.iso.datetime(),
  /** null while it lasts */
  ended_at: z.iso.datetime().nullable(),
})

export const incidentSchema = shownIncidentSchema.extend({ updated_at: z.iso.datetime() })
export type Incident = z.infer<typeof incidentSchema>

const incidentFields = {
  title: textOf(120, 'Title is required'),
  message: textOf(2000, 'Message is required'),
  began_at: z.iso.datetime({ offset: true, error: 'Must be a date and time' }),
  ended_at: z.iso.datetime({ offset: true, error: 'Must be a date and time, or empty' }).nullable(),
  note: reasonSchema('Say why'),
}
const isInOrder = ({ began_at, ended_at }: { began_at: string; ended_at: string | null }): boolean =>
  ended_at === null || Date.parse(ended_at) >= Date.parse(began_at)
const OUT_OF_ORDER = { path: ['ended_at'], error: 'Must not be before the beginning' }

/** Body of `POST /api/v1/admin/incidents`, and of `PATCH /api/v1/admin/incidents/:id`. */
export const incidentChangeSchema = z.strictObject(incidentFields).refine(isInOrder, OUT_OF_ORDER)
export type IncidentChange = z.infer<typeof incidentChangeSchema>

/** Body of a removal. */
export const incidentRemovalSchema = z.strictObject({ note: reasonSchema('Say why') })

/** `GET /api/v1/status`: for everybody, so percentages and never numbers of leads. */
export const serviceStatusSchema = z.object({
  objective: z.object({ percent, seconds: z.int() }),
  /** percentages of the current month; null while too few leads came */
  month: z.object({
    /** leads whose first attempt began in time */
    in_time: percent.nullable(),
    /** leads that were in time or have been credited; null where late leads are not credited */
    kept: percent.nullable(),
  }),
  /** oldest first; `in_time` is null on days with too few leads */
  days: z.array(z.object({ day: z.string(), in_time: percent.nullable() })),
  /** of the last 90 days, newest first, at most 50 */
  incidents: z.array(shownIncidentSchema),
  /** when these figures were read */
  as_of: z.iso.datetime(),
})
export type ServiceStatus = z.infer<typeof serviceStatusSchema>
