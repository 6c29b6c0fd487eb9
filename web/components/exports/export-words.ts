import type { Export, ExportFailure, ExportFilters } from '#core/contract/exports/export.ts'
import { formatBytes } from '#web/format/bytes.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { words } from '#web/format/words.ts'

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const MOMENT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

const FAILURES: Readonly<Record<ExportFailure, string>> = {
  access_lost: 'Your role does not include these rows any more.',
  too_large: 'The file is larger than the room that is left. Narrow the list, or delete older exports.',
  no_room: 'The server had no room for the file.',
  ended_worker: 'The file could not be made, for a reason of ours.',
}

/** Whether asking again may help. */
export function mayTryAgain({ state, failure }: Export): boolean {
  return state === 'failed' && failure !== 'access_lost'
}

export function nameExport({ kind }: Pick<Export, 'kind'>): string {
  return kind === 'leads' ? 'Leads' : 'Ledger'
}

/** Says what the list was narrowed to: "State CA, without test leads"; "All leads" without filters. */
export function describeFilters({ sort: _sort, ...filters }: ExportFilters): string {
  const parts = Object.entries(filters).map(([name, value]) => describeFilter(name, value))
  if (parts.length === 0) return 'All leads'
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function describeFilter(name: string, value: string): string {
  switch (name) {
    case 'search':
      return `“${value}”`
    case 'from':
      return `since ${describeMoment(value)}`
    case 'to':
      return `before ${describeMoment(value)}`
    case 'is_test':
      return value === 'true' ? 'test leads only' : 'without test leads'
    case 'unread':
      return 'unread only'
    case 'delivery':
      return 'failed deliveries only'
    case 'member':
      return value === 'none' ? 'shared leads only' : 'leads of one person'
    case 'state':
      return `state ${value}`
    default:
      return `${words(name).toLowerCase()} ${words(value).toLowerCase()}`
  }
}

function describeMoment(iso: string): string {
  const moment = Date.parse(iso)
  return Number.isNaN(moment) ? iso : MOMENT.format(moment)
}

/** The state of an export in words. */
export function describeState(made: Export): string {
  const { state, rows_done: done, rows_all: all, size, expires_at: expires } = made
  switch (state) {
    case 'waiting':
      return 'Waiting for its turn'
    case 'running':
      return all === null ? 'Counting the rows' : `${formatCount(done)} of ${countOf(all, 'row')}`
    case 'failed':
      return describeFailure(made.failure)
    case 'done':
      return [
        countOf(done, 'row'),
        ...(size === null ? [] : [formatBytes(size)]),
        ...(expires === null ? [] : [`kept until ${DAY.format(Date.parse(expires))}`]),
      ].join(' · ')
  }
}

function describeFailure(failure: ExportFailure | null): string {
  return FAILURES[failure ?? 'ended_worker']
}
