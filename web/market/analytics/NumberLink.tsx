import { Link } from 'react-router-dom'
import { formatCount } from '#web/format/count-of.ts'

/** Links a number of leads to their list, if there is such a list. */
export function NumberLink({ leads, to, of }: { leads: number; to: string | undefined; of: string }) {
  if (to === undefined || leads === 0) return formatCount(leads)
  return (
    <Link to={to} className="inline-block min-w-6 rounded-sm py-0.5 text-accent-strong hover:underline">
      {formatCount(leads)}
      <span className="sr-only"> leads, {of}</span>
    </Link>
  )
}
