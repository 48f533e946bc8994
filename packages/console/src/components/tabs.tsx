import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface Props<Value extends string> {
  label: string;
  value: Value;
  onChange(value: Value): void;
  tabs: readonly { value: Value; label: ReactNode }[];
  /** The panel of the current tab. */
  children: ReactNode;
}

export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: Props<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <Base.List
        aria-label={label}
        activateOnFocus={false}
        className="mb-4 flex flex-wrap gap-x-1 border-b border-line"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted hover:text-ink data-[active]:border-accent data-[active]:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
