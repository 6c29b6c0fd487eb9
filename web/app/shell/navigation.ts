import {
  Bot,
  ChartColumn,
  CircleQuestionMark,
  LayoutDashboard,
  PhoneCall,
  Settings,
  ShieldCheck,
  UsersRound,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import { PATHS } from '#web/paths.ts'

export type NavigationItem = { label: string; icon: LucideIcon } & (
  | { path: string; counts?: 'unread_leads' }
  /** Greyed and not clickable, with the badge 'Soon'. */
  | { soon: true }
)

/** The sidebar, in the order of docs/product.md §2. */
export const NAVIGATION: readonly NavigationItem[] = [
  { label: 'Dashboard', icon: LayoutDashboard, path: PATHS.dashboard },
  { label: 'Leads', icon: UsersRound, path: PATHS.leads, counts: 'unread_leads' },
  { label: 'Analytics', icon: ChartColumn, path: PATHS.analytics },
  { label: 'AI Analytics', icon: Bot, soon: true },
  { label: 'AI Settings', icon: PhoneCall, soon: true },
  { label: 'Integrations', icon: Webhook, path: PATHS.clientIntegrations },
]

/** One link more, which administrators see below Integrations. */
export const ADMINISTRATION: NavigationItem = {
  label: 'Administration',
  icon: ShieldCheck,
  path: PATHS.admin,
}

/** The items at the bottom of the sidebar, below the balance. */
export const NAVIGATION_BELOW: readonly NavigationItem[] = [
  { label: 'Settings', icon: Settings, path: PATHS.settings },
  { label: 'Help', icon: CircleQuestionMark, path: PATHS.help },
]
