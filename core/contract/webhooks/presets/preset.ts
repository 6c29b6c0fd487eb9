import { z } from 'zod'
import { missingValuesSchema, successRuleSchema } from '../answer-rules.ts'
import { payloadTypeSchema, requestMethodSchema } from '../webhook-config.ts'

/**
 * A value of the receiver that is the same for every lead (`oid`, `list_id`). It is written as `<<name>>` in the
 * preset's URL, headers and template until the client fills it in; see core/domain/webhooks/template/constants.ts.
 */
const constantSchema = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string().optional(),
})

/** The initial configuration for a known receiver. Details that are not certain are left open, and `note` says so. */
export const presetSchema = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string(),
  request_method: requestMethodSchema,
  payload_type: payloadTypeSchema,
  /** empty if the receiver gives each customer the whole address */
  endpoint_url: z.string(),
  /** an example of such an address */
  endpoint_example: z.string().nullable(),
  custom_headers: z.record(z.string(), z.string()),
  payload_template: z.record(z.string(), z.unknown()),
  missing_values: missingValuesSchema,
  success_rule: successRuleSchema.nullable(),
  capture_path: z.string().nullable(),
  constants: z.array(constantSchema),
})
export type Preset = z.infer<typeof presetSchema>

/** The values of a preset that does not set them. */
export const PLAIN = {
  request_method: 'POST',
  payload_type: 'JSON',
  endpoint_url: '',
  endpoint_example: null,
  custom_headers: {},
  missing_values: 'empty',
  success_rule: null,
  capture_path: null,
  constants: [],
} satisfies Partial<Preset>
