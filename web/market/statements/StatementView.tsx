import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ArrowLeft, ArrowRight, Printer } from 'lucide-react'
import type { Statement } from '#core/contract/market/money/statement.ts'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney, formatMovement } from '#web/format/money.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { ENTRY_WORDS } from '../billing/entry-words.ts'
import { formatReceiptNumber, PAID_BY } from '#core/domain/market/payments/receipt-words.ts'
import { statementPath, statementQuery } from '../statement-queries.ts'
import { addMonths, nameMonth } from './name-month.ts'

export interface StatementViewProps {
  /** null: the signed-in client's own */
  client: string | null
  /** empty: the current month */
  month: string
  onMonthChange: (month: string) => void
}

/** A month of a client's balance, to be read or printed. */
export function StatementView({ client, month, onMonthChange }: StatementViewProps) {
  const statement = useQuery(statementQuery(client, month))
  if (statement.data !== undefined) {
    return <Sheet statement={statement.data} client={client} onMonthChange={onMonthChange} />
  }
  if (!statement.isError) return <CardSkeleton />
  return (
    <LoadFailure
      title="The statement could not be loaded."
      error={statement.error}
      onRetry={() => void statement.refetch()}
    />
  )
}

type SheetProps = Pick<StatementViewProps, 'client' | 'onMonthChange'> & { statement: Statement }

function Sheet({ statement, client, onMonthChange }: SheetProps) {
  const { month, first_month: first, is_complete: isComplete } = statement
  return (
    <Card
      title={`Statement of ${nameMonth(month)}`}
      actions={
        <span className="flex flex-wrap gap-2 print:hidden">
          <Button
            size="sm"
            icon={<ArrowLeft aria-hidden className="size-4" />}
            disabled={first === null || month <= first}
            onClick={() => onMonthChange(addMonths(month, -1))}
          >
            {nameMonth(addMonths(month, -1))}
          </Button>
          {isComplete && (
            <Button
              size="sm"
              icon={<ArrowRight aria-hidden className="size-4" />}
              onClick={() => onMonthChange(addMonths(month, 1))}
            >
              {nameMonth(addMonths(month, 1))}
            </Button>
          )}
          <DownloadButton
            path={statementPath(client, month, 'statement.csv')}
            name={`statement-${month}.csv`}
          />
          <Button size="sm" icon={<Printer aria-hidden className="size-4" />} onClick={() => window.print()}>
            Print
          </Button>
        </span>
      }
    >
      <div className="flex max-w-2xl flex-col gap-6 text-sm">
        <Parties statement={statement} />
        <Lines statement={statement} />
        <Receipts receipts={statement.receipts} />
        <p className="text-xs text-muted">
          {isComplete ? '' : 'This month has not ended: the closing balance is the present one. '}
          Months begin at midnight in {statement.timezone}.
        </p>
      </div>
    </Card>
  )
}

function Parties({ statement: { seller, client, number, issued_at: issued } }: { statement: Statement }) {
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      {number !== null && (
        <div className="min-w-0 sm:col-span-2">
          <dt className="text-xs text-muted">Statement</dt>
          <dd className="font-medium tabular">
            No. {formatReceiptNumber(number)}
            {issued !== null && (
              <span className="font-normal text-muted"> · issued {issued.slice(0, 10)}</span>
            )}
          </dd>
        </div>
      )}
      <div className="min-w-0">
        <dt className="text-xs text-muted">From</dt>
        <dd className="font-medium break-words">{seller.name === '' ? 'Leadwire' : seller.name}</dd>
        <dd className="break-words whitespace-pre-line text-muted">{seller.address}</dd>
      </div>
      <div className="min-w-0">
        <dt className="text-xs text-muted">For</dt>
        <dd className="font-medium break-words">{client.name}</dd>
        <dd className="break-words text-muted">{client.email}</dd>
      </div>
    </dl>
  )
}

function Lines({ statement: { opening, closing, sums } }: { statement: Statement }) {
  return (
    <table className="w-full">
      <caption className="sr-only">What moved the balance</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        <Line label="Opening balance" amount={formatMoney(opening)} isSum />
        {sums.map(({ entry_type: type, count, amount }) => (
          <Line key={type} label={ENTRY_WORDS[type]} count={count} amount={formatMovement(amount)} />
        ))}
        <Line label="Closing balance" amount={formatMoney(closing)} isSum />
      </tbody>
    </table>
  )
}

interface LineProps {
  label: string
  count?: number
  amount: string
  isSum?: boolean
}

function Line({ label, count, amount, isSum = false }: LineProps) {
  return (
    <tr className={isSum ? 'border-y border-line-strong font-semibold' : 'border-b border-line'}>
      <th scope="row" className={clsx('py-2 text-left', isSum ? 'font-semibold' : 'font-normal')}>
        {label}
        {count !== undefined && <span className="block text-xs text-muted">{countOf(count, 'entry')}</span>}
      </th>
      <td className="py-2 pl-3 text-right align-top tabular">{amount}</td>
    </tr>
  )
}

function Receipts({ receipts }: Pick<Statement, 'receipts'>) {
  if (receipts.length === 0) return null
  return (
    <section aria-label="Receipts">
      <h3 className="mb-1 text-xs font-medium text-muted">Receipts</h3>
      <ul className="divide-y divide-line border-y border-line">
        {receipts.map(({ payment_id: id, receipt_number: number, received_at: at, method, amount }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 tabular">
            <span>
              No. {formatReceiptNumber(number)} · {at.slice(0, 10)} · {PAID_BY[method]}
            </span>
            <span>{formatMoney(amount)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
