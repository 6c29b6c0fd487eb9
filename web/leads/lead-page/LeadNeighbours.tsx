import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link, useLocation } from 'react-router-dom'
import { neighboursQuery } from '../lead-queries.ts'
import { useLeadFilters } from '../use-lead-filters.ts'
import { leadPath } from '../../paths.ts'
import { buttonClass } from '../../ui/action/button-class.ts'

/** Links to the previous and next lead of the list that this lead was opened from. */
export function LeadNeighbours({ id }: { id: string }) {
  const { filters } = useLeadFilters()
  const { search } = useLocation()
  const beside = useQuery(neighboursQuery(id, filters))
  if (beside.data === undefined) return null
  const { previous, next } = beside.data
  return (
    <nav aria-label="Leads beside this one" className="flex flex-wrap gap-2">
      {previous !== null && (
        <Link to={{ pathname: leadPath(previous), search }} className={buttonClass('secondary', 'sm')}>
          <ChevronLeft aria-hidden className="size-4" />
          Previous
        </Link>
      )}
      {next !== null && (
        <Link to={{ pathname: leadPath(next), search }} className={buttonClass('secondary', 'sm')}>
          Next
          <ChevronRight aria-hidden className="size-4" />
        </Link>
      )}
    </nav>
  )
}
