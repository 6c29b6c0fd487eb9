import { Link } from 'react-router-dom'
import { formatCount } from '#web/format/count-of.ts'

/** A number of leads that leads to the list of them, where there is such a list. */
export function NumberLink({ leads, to, of }: { leads: number; to: string | undefined; of: string }) {
  if (to === undefined || leads === 0) return formatCount(leads)
  return (
    <Link to={to} className="inline-block min-w-6 rounded-sm py-0.5 text-accent-strong hover:underline">
      {formatCount(leads)}
      <span className="sr-only"> leads, {of}</span>
    </Link>
  )
}
