import { z } from 'zod'

/**
 * A member of an answer that servers of an earlier version leave out. During an upgrade a page reads their answers too,
 * and takes `value` instead. The API's description is that of `schema`.
 */
export function whenLeftOut<Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) {
  return z.preprocess((given) => (given === undefined ? value : given), schema)
}
