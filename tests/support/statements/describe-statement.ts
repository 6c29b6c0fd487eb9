import type pg from 'pg'

/** A column of a statement's result. `type` is the object id of its PostgreSQL type. */
export interface DescribedColumn {
  name: string
  type: number
}

interface Wire {
  parse: (query: { text: string }) => void
  describe: (what: { type: 'S'; name: string }) => void
  sync: () => void
}

/**
 * Asks PostgreSQL for the result columns of a statement without running it; empty for a statement without
 * rows.
 */
export async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  return await new Promise((resolve, reject) => {
    let columns: DescribedColumn[] = []
    // Callbacks of pg while a query of this form is active (pg-cursor is made in the same way).
    const asked = {
      submit: (connection: Wire) => {
        connection.parse({ text })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: ({ fields }: { fields: { name: string; dataTypeID: number }[] }) => {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }))
      },
      // After this the query is no longer active and gets no more callbacks.
      handleError: reject,
      handleReadyForQuery: () => {
        resolve(columns)
      },
    }
    client.query(asked as unknown as pg.Submittable)
  })
}
