import {
  Cable,
  CircleAlert,
  ClipboardList,
  KeyRound,
  LayoutDashboard,
  Clock,
  Send,
  Settings,
  ShieldBan,
  Tags,
  Undo2,
  UserRound,
  UsersRound,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { AdminPlace } from '#core/contract/paths.ts'
import { adminPath, PATHS } from '#web/paths.ts'
import { lazyPart } from '../lazy-part.ts'

/** One place of the administration: a link of its sidebar, and a page that is loaded when it is opened. */
export interface Place {
  /** undefined: the overview, at `/admin` itself */
  place?: AdminPlace
  label: string
  icon: LucideIcon
  Page: ComponentType
  /** the page of one item, at `/admin/<place>/<id>` */
  ItemPage?: ComponentType
}

/**
 * The sidebar of the administration, in its order. Every icon is one that clients' screens show too: a new one
 * would add to what they load.
 */
export const PLACES: readonly Place[] = [
  {
    label: 'Overview',
    icon: LayoutDashboard,
    Page: lazyPart(
      'OverviewPage',
      async () => (await import('#web/operations/overview/OverviewPage.tsx')).OverviewPage,
    ),
  },
  {
    place: 'needs-you',
    label: 'Needs you',
    icon: CircleAlert,
    Page: lazyPart('NeedsPage', async () => (await import('#web/operations/needs/NeedsPage.tsx')).NeedsPage),
  },
  {
    place: 'leads',
    label: 'Leads',
    icon: UsersRound,
    Page: lazyPart(
      'AdminLeadsPanel',
      async () => (await import('#web/leads/admin/AdminLeadsPanel.tsx')).AdminLeadsPanel,
    ),
    ItemPage: lazyPart('LeadItemPage', async () => (await import('./LeadItemPage.tsx')).LeadItemPage),
  },
  {
    place: 'clients',
    label: 'Clients',
    icon: UserRound,
    Page: lazyPart(
      'ClientsPanel',
      async () => (await import('#web/market/admin/clients/ClientsPanel.tsx')).ClientsPanel,
    ),
    ItemPage: lazyPart(
      'ClientPage',
      async () => (await import('#web/market/admin/clients/ClientPage.tsx')).ClientPage,
    ),
  },
  {
    place: 'orders',
    label: 'Orders',
    icon: ClipboardList,
    Page: lazyPart(
      'OrdersPanel',
      async () => (await import('#web/market/admin/orders/OrdersPanel.tsx')).OrdersPanel,
    ),
  },
  {
    place: 'sources',
    label: 'Sources',
    icon: Cable,
    Page: lazyPart('SourcesPage', async () => (await import('./SourcesPage.tsx')).SourcesPage),
  },
  {
    place: 'prices',
    label: 'Prices',
    icon: Tags,
    Page: lazyPart(
      'PricesPanel',
      async () => (await import('#web/market/admin/prices/PricesPanel.tsx')).PricesPanel,
    ),
  },
  {
    place: 'money',
    label: 'Money',
    icon: Wallet,
    Page: lazyPart('MoneyPage', async () => (await import('./MoneyPage.tsx')).MoneyPage),
  },
  {
    place: 'returns',
    label: 'Returns',
    icon: Undo2,
    Page: lazyPart(
      'ReturnsPanel',
      async () => (await import('#web/market/admin/returns/ReturnsPanel.tsx')).ReturnsPanel,
    ),
  },
  {
    place: 'deliveries',
    label: 'Deliveries',
    icon: Send,
    Page: lazyPart(
      'DeliveriesPage',
      async () => (await import('#web/operations/DeliveriesPage.tsx')).DeliveriesPage,
    ),
  },
  {
    place: 'compliance',
    label: 'Compliance',
    icon: ShieldBan,
    Page: lazyPart('CompliancePage', async () => (await import('./CompliancePage.tsx')).CompliancePage),
    ItemPage: lazyPart(
      'RevocationPage',
      async () => (await import('#web/leads/admin/revocations/RevocationPage.tsx')).RevocationPage,
    ),
  },
  {
    place: 'people',
    label: 'People',
    icon: KeyRound,
    Page: lazyPart('PeoplePage', async () => (await import('#web/accounts/admin/PeoplePage.tsx')).PeoplePage),
  },
  {
    place: 'audit',
    label: 'Audit',
    icon: Clock,
    Page: lazyPart('AuditPanel', async () => (await import('#web/accounts/admin/AuditPanel.tsx')).AuditPanel),
  },
  {
    place: 'settings',
    label: 'Settings',
    icon: Settings,
    Page: lazyPart('SettingsPage', async () => (await import('./SettingsPage.tsx')).SettingsPage),
  },
]

export function placePath({ place }: Place) {
  return place === undefined ? PATHS.admin : adminPath(place)
}

/** The places that earlier addresses named by `?tab=`; mails link to some of them. */
const EARLIER_TABS: Readonly<Record<string, string>> = {
  clients: adminPath('clients'),
  orders: adminPath('orders'),
  prices: adminPath('prices'),
  payments: adminPath('money', 'payments'),
  returns: adminPath('returns'),
  sources: adminPath('sources'),
  import: adminPath('sources', 'import'),
  suppression: adminPath('compliance'),
  messages: adminPath('needs-you'),
}

/** Path of the place that an address of the form `/admin?tab=…` meant. */
export function findEarlierTab(search: URLSearchParams) {
  return EARLIER_TABS[search.get('tab') ?? '']
}
