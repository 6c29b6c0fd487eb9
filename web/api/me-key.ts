/** In a file of its own, so that the session code does not load the schema of the query. */
export const ME_KEY = ['me']
