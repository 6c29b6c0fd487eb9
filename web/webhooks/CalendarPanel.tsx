import { CalendarDays } from 'lucide-react'
import { Card } from '../ui/show/Card.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'

/** This content exists without a tab button that leads to it (docs/product.md §2). */
export function CalendarPanel() {
  return (
    <Card title="Calendar">
      <EmptyState icon={<CalendarDays aria-hidden />} title="Coming Soon">
        Calendars cannot be connected yet. Meanwhile, a webhook can start a calendar workflow.
      </EmptyState>
    </Card>
  )
}
