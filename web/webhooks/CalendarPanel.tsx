import { CalendarDays } from 'lucide-react'
import { Card } from '../ui/show/Card.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'

/** docs/product.md §2: this content exists, and no tab button leads to it. */
export function CalendarPanel() {
  return (
    <Card title="Calendar">
      <EmptyState icon={<CalendarDays aria-hidden />} title="Coming Soon">
        Calendars cannot be connected yet. Meanwhile, a webhook can start a calendar workflow.
      </EmptyState>
    </Card>
  )
}
