import type { LeadFilters } from './lead-filters.ts'

const MOMENT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/**
 * Describes the filters that a link of another screen has set: "Since Nov 23, 12:00 AM, without test leads".
 */
export function describeNarrowing({
  from,
  to,
  is_test: isTest,
}: Pick<LeadFilters, 'from' | 'to' | 'is_test'>) {
  const parts = [
    describeSpan(readMoment(from), readMoment(to)),
    { true: 'test leads only', false: 'without test leads' }[isTest] ?? '',
  ].filter((part) => part !== '')
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function describeSpan(from: string, to: string) {
  if (from !== '' && to !== '') return `${from} to ${to}`
  if (from !== '') return `since ${from}`
  return to === '' ? '' : `before ${to}`
}

/** Empty for an invalid time; the server then reports it. */
function readMoment(iso: string) {
  const moment = Date.parse(iso)
  return Number.isNaN(moment) ? '' : MOMENT.format(moment)
}
