import type { Kysely } from 'kysely'
import type { Effect, Work } from './effect.ts'
import { judgeStatement } from './judge-statement.ts'
import { readMigrations, type MigrationModule } from './list-migrations.ts'
import { isRead, loadParser } from './parse.ts'
import { readCatalogue, type Catalogue } from './read-catalogue.ts'
import { recordStatements, type Answer } from './record-statements.ts'

/** Rows in a second on two cores, measured on a table of 300 bytes a row. Wider rows and slower disks take longer. */
const ROWS_PER_SECOND: Readonly<Record<Exclude<Work, 'instant'>, number>> = {
  'reads all rows': 2_000_000,
  'builds an index': 600_000,
  'writes all rows anew': 300_000,
  'changes rows': 30_000,
}

type Direction = 'up' | 'down'

export interface PlannedEffect extends Effect {
  /** about as many as the table has, by PostgreSQL's statistics */
  rows: number
  /** 0 for what changes the catalogue only; an upper limit for `changes rows` */
  seconds: number
}

export interface PlannedMigration {
  name: string
  isOutsideTransaction: boolean
  effects: PlannedEffect[]
  /** what the plan cannot tell, like `a block of code` */
  unjudged: string[]
}

/** Foretells what these migrations will lock in this database, and for how long. Nothing is changed. */
export async function planMigrations<Tables>(
  db: Kysely<Tables>,
  names: readonly string[],
  direction: Direction = 'up',
): Promise<PlannedMigration[]> {
  await loadParser()
  const migrations = await readMigrations()
  const catalogue = await readCatalogue(db)
  const plans: PlannedMigration[] = []
  for (const name of names) {
    const migration = migrations[name]
    if (migration !== undefined) plans.push(await planOne(db, { name, migration, direction, catalogue }))
  }
  return plans
}

async function planOne<Tables>(
  db: Kysely<Tables>,
  {
    name,
    migration,
    direction,
    catalogue,
  }: { name: string; migration: MigrationModule; direction: Direction; catalogue: Catalogue },
): Promise<PlannedMigration> {
  const unjudged = new Set<string>()
  const answer: Answer = async (query) => {
    try {
      return await db
        .transaction()
        .setAccessMode('read only')
        .execute((trx) => trx.executeQuery(query))
    } catch {
      // It reads what an earlier one of the missing migrations will make.
      unjudged.add('what it finds once the migrations before it are applied')
      return { rows: [] }
    }
  }
  const statements = await recordStatements(async (on) => migration[direction]?.(on), isRead, answer)
  const judgements = statements.map((statement) => judgeStatement(statement, catalogue))
  for (const judgement of judgements) if (judgement.unjudged !== undefined) unjudged.add(judgement.unjudged)
  return {
    name,
    isOutsideTransaction: migration.isOutsideTransaction === true,
    effects: judgements.flatMap(({ effects }) => effects).map((effect) => weigh(effect, catalogue)),
    unjudged: [...unjudged],
  }
}

function weigh(effect: Effect, { rowsOf }: Catalogue): PlannedEffect {
  const rows = rowsOf(effect.table)
  return { ...effect, rows, seconds: effect.work === 'instant' ? 0 : rows / ROWS_PER_SECOND[effect.work] }
}
