import type { AlterTableCmd, AlterTableStmt, AlterTableType, ColumnDef, Constraint, Node } from 'libpg-query'
import type { Effect, Lock, Work } from './effect.ts'
import { constraintOf, nameOf, wordsOf } from './read-node.ts'

type Part = Omit<Effect, 'table'> & { table?: string }

/** Functions whose value is the same for all rows of one statement, so that PostgreSQL need not write each row. */
const ONE_VALUE = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'current_setting'])

/** Commands that need less than `access exclusive`, by PostgreSQL's documentation of ALTER TABLE. */
const WEAKER: Partial<Record<AlterTableType, Lock>> = {
  AT_ValidateConstraint: 'share update exclusive',
  AT_SetStatistics: 'share update exclusive',
  AT_SetRelOptions: 'share update exclusive',
  AT_ResetRelOptions: 'share update exclusive',
  AT_SetOptions: 'share update exclusive',
  AT_ResetOptions: 'share update exclusive',
  AT_ClusterOn: 'share update exclusive',
  AT_DropCluster: 'share update exclusive',
  AT_AttachPartition: 'share update exclusive',
  AT_EnableTrig: 'share row exclusive',
  AT_DisableTrig: 'share row exclusive',
  AT_EnableTrigUser: 'share row exclusive',
  AT_DisableTrigUser: 'share row exclusive',
}

const WORK: Partial<Record<AlterTableType, Work>> = {
  AT_ValidateConstraint: 'reads all rows',
  AT_SetNotNull: 'reads all rows',
  AT_AttachPartition: 'reads all rows',
  AT_AlterColumnType: 'writes all rows anew',
  AT_SetExpression: 'writes all rows anew',
  AT_SetAccessMethod: 'writes all rows anew',
  AT_SetTableSpace: 'writes all rows anew',
  AT_SetLogged: 'writes all rows anew',
  AT_SetUnLogged: 'writes all rows anew',
  AT_AddIdentity: 'writes all rows anew',
}

/** @param isNeverNull whether a validated check already says that the column has no null, so that no row is read */
export function judgeAlterTable(
  statement: AlterTableStmt,
  isNeverNull: (table: string, column: string) => boolean,
): Effect[] {
  const table = nameOf(statement.relation)
  const commands = (statement.cmds ?? []).flatMap((node) =>
    'AlterTableCmd' in node ? [node.AlterTableCmd] : [],
  )
  return commands
    .flatMap((command) => judgeCommand(command, (column) => isNeverNull(table, column)))
    .map((part) => ({ table, ...part }))
}

function judgeCommand(command: AlterTableCmd, isNeverNull: (column: string) => boolean): Part[] {
  const { subtype, name = '', def } = command
  if (subtype === undefined) return []
  if (subtype === 'AT_AddColumn' && def !== undefined && 'ColumnDef' in def) return judgeColumn(def.ColumnDef)
  if (subtype === 'AT_AddConstraint' && def !== undefined && 'Constraint' in def)
    return judgeConstraint(def.Constraint)
  return [
    {
      lock: WEAKER[subtype] ?? 'access exclusive',
      work: subtype === 'AT_SetNotNull' && isNeverNull(name) ? 'instant' : (WORK[subtype] ?? 'instant'),
      change: `${wordsOf(subtype)}${name === '' ? '' : ` ${name}`}`,
      ...(subtype === 'AT_DropColumn' && { takesAway: true as const }),
    },
  ]
}

function judgeColumn({ colname = '', constraints = [], typeName }: ColumnDef): Part[] {
  const all = constraints.map(constraintOf)
  const parts = all.flatMap((constraint) => judgeConstraint(constraint, true))
  const isSerial = (typeName?.names ?? []).some(
    (node) => 'String' in node && /serial/.test(node.String.sval ?? ''),
  )
  const isWritten =
    isSerial ||
    all.some(
      ({ contype, raw_expr }) =>
        contype === 'CONSTR_IDENTITY' ||
        contype === 'CONSTR_GENERATED' ||
        (contype === 'CONSTR_DEFAULT' && !hasOneValue(raw_expr)),
    )
  const needsValue = all.some(({ contype }) => contype === 'CONSTR_NOTNULL' || contype === 'CONSTR_PRIMARY')
  const hasValue = isWritten || all.some(({ contype }) => contype === 'CONSTR_DEFAULT')
  const added: Part = {
    lock: 'access exclusive',
    work: isWritten ? 'writes all rows anew' : 'instant',
    change: `add column ${colname}`,
    // Older processes write rows without it.
    ...(needsValue && !hasValue && { takesAway: true as const }),
  }
  return [added, ...parts]
}

/** @param isOfNewColumn a new column is null or its default in every row, yet PostgreSQL checks each of them */
function judgeConstraint(constraint: Constraint, isOfNewColumn = false): Part[] {
  const { contype, conname = '', skip_validation = false, indexname, pktable } = constraint
  const change = `add ${contype === undefined ? 'constraint' : wordsOf(contype)}${conname === '' ? '' : ` ${conname}`}`
  switch (contype) {
    case 'CONSTR_FOREIGN': {
      const work = skip_validation || isOfNewColumn ? 'instant' : 'reads all rows'
      return [
        { lock: isOfNewColumn ? 'access exclusive' : 'share row exclusive', work, change },
        { table: nameOf(pktable), lock: 'share row exclusive', work: 'instant', change: `be referred to` },
      ]
    }
    case 'CONSTR_CHECK':
      return [{ lock: 'access exclusive', work: skip_validation ? 'instant' : 'reads all rows', change }]
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
    case 'CONSTR_EXCLUSION':
      return [
        { lock: 'access exclusive', work: indexname === undefined ? 'builds an index' : 'instant', change },
      ]
    case 'CONSTR_NOTNULL':
      return isOfNewColumn
        ? []
        : [{ lock: 'access exclusive', work: skip_validation ? 'instant' : 'reads all rows', change }]
    default:
      return []
  }
}

function hasOneValue(expression: Node | undefined): boolean {
  const calls = [...JSON.stringify(expression ?? {}).matchAll(/"funcname":\[(.*?)\]/g)]
  return calls.every(([, names = '']) => [...ONE_VALUE].some((name) => names.includes(`"${name}"`)))
}
