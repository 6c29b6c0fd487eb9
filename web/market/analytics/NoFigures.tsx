import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { adminPath, PATHS } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'

/** Says why there are no figures. An administrator buys no leads, so the figures of the business are elsewhere. */
export function NoFigures({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  const isAdmin = useQuery(meQuery).data?.role === 'admin'
  if (isAdmin && !isNarrowed)
    return (
      <Card flush>
        <EmptyState
          icon={<ChartColumn aria-hidden />}
          title="Administrators buy no leads"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Link to={PATHS.admin} className={buttonClass('secondary')}>
                Overview
              </Link>
              <Link to={`${adminPath('money')}?tab=revenue`} className={buttonClass('secondary')}>
                Revenue
              </Link>
            </div>
          }
        >
          This screen shows what one client bought. The figures of all clients are in the administration.
        </EmptyState>
      </Card>
    )
  return (
    <Card flush>
      <EmptyState
        icon={<ChartColumn aria-hidden />}
        title="No leads in this period"
        action={isNarrowed && <Button onClick={onClear}>Clear filters</Button>}
      >
        {isNarrowed
          ? 'None fits these filters.'
          : 'Choose a longer one, or look at why no leads come on your dashboard.'}
      </EmptyState>
    </Card>
  )
}
