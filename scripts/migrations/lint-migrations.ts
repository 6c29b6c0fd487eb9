import type { Judgement } from './effect.ts'
import { findRisks } from './find-risks.ts'
import { judgeStatement } from './judge-statement.ts'
import { History } from './history.ts'
import { readMigrations, type MigrationModule } from './list-migrations.ts'
import { isRead, loadParser } from './parse.ts'
import { recordStatements } from './record-statements.ts'

/**
 * Judges migrations without a database: what earlier ones created counts as existing.
 * @param after the name of the last migration that is not judged, only read
 * @returns one line for each risk, which begins with the migration's name
 */
export async function lintMigrations(
  after: string,
  migrations?: Readonly<Record<string, MigrationModule>>,
): Promise<string[]> {
  await loadParser()
  const history = new History()
  const risks: string[] = []
  for (const [name, migration] of Object.entries(migrations ?? (await readMigrations()))) {
    const judgements: Judgement[] = []
    for (const statement of await recordStatements((db) => migration.up(db), isRead)) {
      judgements.push(judgeStatement(statement, history))
      history.note(statement)
    }
    if (name > after) risks.push(...findRisks(migration, judgements).map((risk) => `${name}: ${risk}`))
  }
  return risks
}
