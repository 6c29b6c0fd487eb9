import { Suspense, type ComponentType } from 'react'
import { Navigate, Route, Routes, useSearchParams } from 'react-router-dom'
import { OpenQueueBoard } from '#web/operations/OpenQueueBoard.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { PageSkeleton } from '#web/ui/wait/PageSkeleton.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { ErrorBoundary } from '../errors/ErrorBoundary.tsx'
import { NotFound } from '../errors/NotFound.tsx'
import { SectionErrorScreen } from '../errors/SectionErrorScreen.tsx'
import { AppShell } from '../shell/AppShell.tsx'
import { AdminGate } from './AdminGate.tsx'
import { AdminMenu } from './AdminMenu.tsx'
import { findEarlierTab, PLACES, type Place } from './admin-places.tsx'
import { useAdminAccess } from './use-admin-access.ts'

/** The administration, with a sidebar of its own. The server refuses everybody else, whatever this shows. */
export function AdminApp() {
  const access = useAdminAccess()
  if (access.state !== 'open') {
    return (
      <AppShell>
        <AdminGate access={access} />
      </AppShell>
    )
  }
  return (
    <AppShell Menu={AdminMenu}>
      <ErrorBoundary screen={SectionErrorScreen}>
        <Routes>
          {PLACES.map((place) =>
            place.place === undefined ? (
              <Route key={place.label} index element={<Index place={place} />} />
            ) : (
              <Route key={place.label} path={place.place} element={<PlacePage place={place} />} />
            ),
          )}
          {PLACES.map(
            ({ place, ItemPage }) =>
              ItemPage !== undefined && (
                <Route key={place} path={`${place}/:id`} element={<ItemPlace Page={ItemPage} />} />
              ),
          )}
          <Route path="*" element={<NotFound />} />
        </Routes>
      </ErrorBoundary>
    </AppShell>
  )
}

function Index({ place }: { place: Place }) {
  const [search] = useSearchParams()
  const earlier = findEarlierTab(search)
  return earlier === undefined ? <PlacePage place={place} /> : <Navigate to={earlier} replace />
}

function PlacePage({ place: { place, label, Page } }: { place: Place }) {
  return (
    <div className="flex flex-col gap-6">
      <title>{`${label} · Administration · Leadwire`}</title>
      <PageHeader
        title={label}
        {...((place === undefined || place === 'deliveries') && { actions: <OpenQueueBoard /> })}
      />
      <Suspense fallback={<CardSkeleton />}>
        <Page />
      </Suspense>
    </div>
  )
}

/** The page of one item has a title of its own. */
function ItemPlace({ Page }: { Page: ComponentType }) {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Page />
    </Suspense>
  )
}
