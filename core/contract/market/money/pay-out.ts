import { z } from 'zod'
import { reasonSchema } from '../../admin-note.ts'
import { trimText } from '../../trim-invisible.ts'
import { amountSchema } from './money.ts'

/** The ways in which a balance is paid out, outside of Leadwire. */
export const PAY_OUT_METHODS = ['bank_transfer', 'check', 'card', 'other'] as const
export type PayOutMethod = (typeof PAY_OUT_METHODS)[number]

/** Nobody pays more at once, so that a typing error is refused. */
const MOST_PAID_OUT = 100_000

/** Body of the administrators' pay-out; the amount is what the client gets. */
export const payOutSchema = z.strictObject({
  amount: amountSchema(0.01, MOST_PAID_OUT),
  method: z.enum(PAY_OUT_METHODS).describe('How it is paid'),
  /** of the transfer or check, which the client reads */
  reference: z
    .string('Reference is required')
    .overwrite(trimText)
    .min(1, 'Reference is required')
    .max(100, 'Is too long (at most 100 characters)')
    .describe('Of the transfer or check; the client reads it'),
  note: reasonSchema('Note is required').refine(
    ({ length }) => length <= 350,
    'Is too long (at most 350 characters)',
  ),
})
export type PayOut = z.infer<typeof payOutSchema>
