import type { CreateStmt, DropStmt, IndexStmt, Node, RenameStmt } from 'libpg-query'
import type { Effect, Judgement } from './effect.ts'
import { judgeAlterTable } from './judge-alter-table.ts'
import { listWritesWithin, parse } from './parse.ts'
import { constraintOf, nameInList, nameOf, wordsOf } from './read-node.ts'

/** Facts that a statement refers to without saying them. */
export interface Known {
  tableOfIndex: (index: string) => string | undefined
  /** whether a validated check says that the column has no null */
  isNeverNull: (table: string, column: string) => boolean
  /** whether the table was there before these migrations; only those have rows and readers */
  isExisting: (table: string) => boolean
}

/** Statements that lock no table that is in use, and take nothing away. */
const HARMLESS: ReadonlySet<string> = new Set([
  'SelectStmt',
  'VariableShowStmt',
  'InsertStmt',
  'CommentStmt',
  'CompositeTypeStmt',
  'CreateEnumStmt',
  'CreateDomainStmt',
  'CreateExtensionStmt',
  'CreateFunctionStmt',
  'CreateSchemaStmt',
  'CreateSeqStmt',
  'CreateStatsStmt',
  'CreateTableAsStmt',
  'DefineStmt',
  'ViewStmt',
])

/** The effects of a statement's text on tables that exist, by PostgreSQL's documented locks. */
export function judgeStatement(statement: string, known: Known): Judgement {
  const judgements = parse(statement).map((node) => judge(node, known))
  const unjudged = judgements.flatMap((judgement) => judgement.unjudged ?? []).at(0)
  return {
    effects: judgements.flatMap(({ effects }) => effects).filter(({ table }) => known.isExisting(table)),
    ...(unjudged !== undefined && { unjudged }),
  }
}

function judge(node: Node, known: Known): Judgement {
  if ('DoStmt' in node) return { effects: [], unjudged: 'a block of code' }
  if ('VacuumStmt' in node || 'ReindexStmt' in node || 'ClusterStmt' in node)
    return { effects: [], unjudged: 'a rebuild of a table or index' }
  if ('VariableSetStmt' in node) {
    const isPatience = node.VariableSetStmt.name === 'lock_timeout'
    return { effects: [], ...(isPatience && { unjudged: 'a lock_timeout of its own' }) }
  }
  const effects = [node, ...listWritesWithin(node)].map((part) => listEffects(part, known))
  const [kind = ''] = Object.keys(node)
  if (effects[0] !== undefined || HARMLESS.has(kind))
    return { effects: effects.flatMap((some) => some ?? []) }
  return { effects: [], unjudged: `a statement of the kind ${wordsOf(kind.replace(/Stmt$/, ''))}` }
}

/** @returns undefined for a kind of statement that is not known */
function listEffects(node: Node, known: Known): readonly Effect[] | undefined {
  if ('AlterTableStmt' in node) return judgeAlterTable(node.AlterTableStmt, known.isNeverNull)
  if ('IndexStmt' in node) return [judgeIndex(node.IndexStmt)]
  if ('DropStmt' in node) return judgeDrop(node.DropStmt, known)
  if ('CreateStmt' in node) return judgeNewTable(node.CreateStmt)
  if ('CreateTrigStmt' in node)
    return [instant(nameOf(node.CreateTrigStmt.relation), 'share row exclusive', 'add trigger')]
  if ('RenameStmt' in node) return judgeRename(node.RenameStmt)
  if ('UpdateStmt' in node) return [changeRows(nameOf(node.UpdateStmt.relation), 'update rows')]
  if ('DeleteStmt' in node) return [changeRows(nameOf(node.DeleteStmt.relation), 'delete rows')]
  if ('TruncateStmt' in node)
    return (node.TruncateStmt.relations ?? []).map((one) => takeAway(rangeOf(one), 'truncate'))
  if ('LockStmt' in node)
    return (node.LockStmt.relations ?? []).map((one) => instant(rangeOf(one), 'access exclusive', 'lock'))
  return undefined
}

function judgeIndex({ relation, idxname = '', concurrent = false }: IndexStmt): Effect {
  return {
    table: nameOf(relation),
    lock: concurrent ? 'share update exclusive' : 'share',
    work: 'builds an index',
    change: `add index ${idxname}`,
  }
}

function judgeDrop({ objects = [], removeType, concurrent = false }: DropStmt, known: Known): Effect[] {
  return objects.flatMap((object) => {
    const name = nameInList(object)
    if (removeType === 'OBJECT_TRIGGER')
      return instant(tableOfTrigger(object), 'access exclusive', 'drop trigger')
    // Processes of the previous version may call a function or read a view.
    if (removeType !== 'OBJECT_INDEX') return takeAway(name, `drop the ${wordsOf(removeType ?? 'object')}`)
    const table = known.tableOfIndex(name)
    if (table === undefined) return []
    return instant(table, concurrent ? 'share update exclusive' : 'access exclusive', `drop index ${name}`)
  })
}

/** The name of a trigger comes after that of its table. */
function tableOfTrigger(trigger: Node): string {
  const items = 'List' in trigger ? (trigger.List.items ?? []) : []
  return nameInList({ List: { items: items.slice(0, -1) } })
}

/** Nobody reads a new table yet, but its partitioned table and those that it refers to are in use. */
function judgeNewTable({
  tableElts = [],
  constraints = [],
  relation,
  partbound,
  inhRelations = [],
}: CreateStmt): Effect[] {
  const name = nameOf(relation)
  const inside = tableElts.flatMap((one) => ('ColumnDef' in one ? (one.ColumnDef.constraints ?? []) : [one]))
  const referred = [...inside, ...constraints].map(constraintOf).flatMap(({ pktable }) => pktable ?? [])
  const whole = partbound === undefined ? [] : inhRelations.map(rangeOf)
  return [
    ...referred.map((one) => instant(nameOf(one), 'share row exclusive', `be referred to by ${name}`)),
    ...whole.map((one) => instant(one, 'access exclusive', `add partition ${name}`)),
  ]
}

function judgeRename({ renameType, relation, subname }: RenameStmt): Effect[] {
  if (renameType === 'OBJECT_INDEX') return []
  return [takeAway(nameOf(relation), `rename ${subname ?? 'the table'}`)]
}

function rangeOf(node: Node): string {
  return 'RangeVar' in node ? nameOf(node.RangeVar) : ''
}

function instant(table: string, lock: Effect['lock'], change: string): Effect {
  return { table, lock, work: 'instant', change }
}

function takeAway(table: string, change: string): Effect {
  return { ...instant(table, 'access exclusive', change), takesAway: true }
}

function changeRows(table: string, change: string): Effect {
  return { table, lock: 'row exclusive', work: 'changes rows', change }
}
