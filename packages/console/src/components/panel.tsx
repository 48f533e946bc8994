import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface PageProps {
  title: string;
  /** One sentence below the title. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, about, actions, children }: PageProps) {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 p-4 lg:p-6">
      <title>{`${title} · Zoetrope`}</title>
      <header className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold">{title}</h1>
          {about !== undefined && <p className="text-muted">{about}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  title?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Panel({ title, actions, className, children }: PanelProps) {
  return (
    <section className={classNames("rounded-lg border border-line bg-panel p-4", className)}>
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-lg font-semibold">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** Nothing is there yet: says what would be, and how to get it. */
interface EmptyProps {
  title: string;
  /** There is nothing else on the page. */
  isPage?: boolean;
  children?: ReactNode;
}

export function Empty({ title, isPage = false, children }: EmptyProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
      <Title className="text-lg font-medium">{title}</Title>
      {children !== undefined && <div className="max-w-prose text-muted">{children}</div>}
    </div>
  );
}

/** Has the size of what comes. */
export function Skeleton({ className }: { className: string }) {
  return <div className={classNames("skeleton", className)} aria-hidden="true" />;
}
