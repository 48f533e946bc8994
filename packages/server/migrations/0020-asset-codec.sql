-- What an asset's video is encoded with: some vendors take only some codecs. Null: not a video, or stored
-- before this was measured.
alter table assets add column video_codec text;
grant update (video_codec) on assets to zoetrope_service;
