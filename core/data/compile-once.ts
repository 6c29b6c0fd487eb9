import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** A placeholder for a value in a statement that is compiled without it. */
class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Makes a statement whose text never changes: it is compiled at its first use, not for each lead.
 * @param make builds it, with the place of each value by its name
 * @returns a function that runs it with the values
 */
export function compileOnce<Row, Values extends Record<string, unknown>>(
  make: (place: (name: keyof Values & string) => RawBuilder<unknown>) => RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let made: { text: string; names: string[] } | undefined

  function compile(db: Db): { text: string; names: string[] } {
    const { sql: text, parameters } = make((name) => sql.val(new Place(name))).compile(db)
    return {
      text,
      names: parameters.map((place) => {
        if (place instanceof Place) return place.name
        throw new Error('A statement that is compiled once has a value of its own')
      }),
    }
  }

  return async (db, values) => {
    made ??= compile(db)
    const parameters = made.names.map((name) => values[name])
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(made.text, parameters))
    return rows
  }
}
