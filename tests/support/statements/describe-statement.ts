import type pg from 'pg'

/** A column of a statement's result. `type` is PostgreSQL's object id of its type. */
export interface DescribedColumn {
  name: string
  type: number
}

interface Wire {
  parse: (query: { text: string }) => void
  describe: (what: { type: 'S'; name: string }) => void
  sync: () => void
}

/** Asks PostgreSQL what a statement would answer, without running it; none where it answers no rows. */
export async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  return await new Promise((resolve, reject) => {
    let columns: DescribedColumn[] = []
    // What pg calls back while a query of this form is the active one (pg-cursor is made the same way).
    const asked = {
      submit: (connection: Wire) => {
        connection.parse({ text })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: ({ fields }: { fields: { name: string; dataTypeID: number }[] }) => {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }))
      },
      // After this the query is no longer the active one, and hears no more.
      handleError: reject,
      handleReadyForQuery: () => {
        resolve(columns)
      },
    }
    client.query(asked as unknown as pg.Submittable)
  })
}
