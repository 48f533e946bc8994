-- How many frames a video shows, which the price of an upscale may need; null: not a video, or stored before they were counted.
alter table assets add column frames integer;
grant update (frames) on assets to zoetrope_service;
