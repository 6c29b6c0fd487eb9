import { z } from 'zod'
import { trimCode } from './trim-invisible.ts'

/** A search of a list's query; an empty one narrows nothing. */
export const searchTextSchema = z
  .string()
  .overwrite(trimCode)
  .max(200)
  .transform((search) => (search === '' ? undefined : search))
  .optional()
