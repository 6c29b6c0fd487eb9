/** Apart from the query, whose schema is no part of what keeps the session. */
export const ME_KEY = ['me']
