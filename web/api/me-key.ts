/**
 * Apart from the query, because the provider around all screens needs it: a schema in the first chunk would be made before
 * configure-zod.ts has run.
 */
export const ME_KEY = ['me']
