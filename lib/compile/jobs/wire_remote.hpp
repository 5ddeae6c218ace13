// Jobs on remote caches, over the wire.
#pragma once

#include "compile/jobs/wire_dependencies.hpp"
#include "compile/jobs/worker_job.hpp"
#include "compile/worker/wire.hpp"

#include <chrono>
#include <cstdint>

namespace kiln {

template <>
inline constexpr RemoteAddress::Scheme last_of<RemoteAddress::Scheme> = RemoteAddress::Scheme::https;
template <>
inline constexpr RemoteAddress::Layout last_of<RemoteAddress::Layout> = RemoteAddress::Layout::subdirs;
template <>
inline constexpr EntryKind last_of<EntryKind> = EntryKind::tree;

template <class Archive, class Duration>
void wire_duration(Archive& archive, Duration& duration) {
  auto count = static_cast<std::uint64_t>(duration.count());
  archive(count);
  if constexpr (!std::is_const_v<Duration>) duration = Duration(static_cast<typename Duration::rep>(count));
}

template <class Archive, WireOf<RemoteAddress> T>
void wire(Archive& archive, T& address) {
  auto& [scheme, user, password, host, port, database, path, connect_timeout, request_timeout, read_only, key_prefix,
         ttl, layout, bearer_token_file, is_unsigned] = address;
  archive(scheme, user, password, host, port, database, path);
  wire_duration(archive, connect_timeout);
  wire_duration(archive, request_timeout);
  archive(read_only, key_prefix);
  wire_duration(archive, ttl);
  archive(layout, bearer_token_file, is_unsigned);
}

template <class Archive, WireOf<RemotePlace> T>
void wire(Archive& archive, T& place) {
  auto& [addresses, public_keys, signing_key, counters] = place;
  archive(addresses, public_keys, signing_key, counters);
}

template <class Archive, WireOf<RemoteName> T>
void wire(Archive& archive, T& name) {
  auto& [kind, key] = name;
  archive(kind, key);
}

template <class Archive, WireOf<RemoteGetJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, names, milliseconds, claim_owner, claim] = job;
  archive(place, names, milliseconds, claim_owner, claim);
}

template <class Archive, WireOf<RemoteFound::Fault> T>
void wire(Archive& archive, T& fault) {
  auto& [address, text] = fault;
  archive(address, text);
}

template <class Archive, WireOf<RemoteFound> T>
void wire(Archive& archive, T& found) {
  auto& [values, faults, refused, is_claimed, is_claimed_by_other] = found;
  archive(values, faults, refused, is_claimed, is_claimed_by_other);
}

template <class Archive, WireOf<RemotePutJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, request, manifest, name, entry, claim_owner] = job;
  archive(place, request, manifest, name, entry, claim_owner);
}

template <class Archive, WireOf<RemoteWaitJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, name, milliseconds] = job;
  archive(place, name, milliseconds);
}

template <class Archive, WireOf<RemoteReleaseJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, name, claim_owner] = job;
  archive(place, name, claim_owner);
}

template <class Archive, WireOf<RemoteReportJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, in_brief, milliseconds] = job;
  archive(place, in_brief, milliseconds);
}

template <class Archive, WireOf<RemoteReportAnswer> T>
void wire(Archive& archive, T& answer) {
  auto& [fault, server, latency, write_fault, values, ahead_by] = answer;
  archive(fault, server, latency, write_fault, values, ahead_by);
}

template <class Archive, WireOf<RemoteReports> T>
void wire(Archive& archive, T& reports) {
  auto& [all] = reports;
  archive(all);
}

template <class Archive, WireOf<EntrySelection> T>
void wire(Archive& archive, T& selection) {
  auto& [names, archs, newer_than] = selection;
  archive(names, archs, newer_than);
}

template <class Archive, WireOf<RemoteListJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, selection] = job;
  archive(place, selection);
}

template <class Archive, WireOf<RemoteListed::Value> T>
void wire(Archive& archive, T& value) {
  auto& [name, size] = value;
  archive(name, size);
}

template <class Archive, WireOf<RemoteListed> T>
void wire(Archive& archive, T& listed) {
  auto& [values, too_large, has_meant, others] = listed;
  archive(values, too_large, has_meant, others);
}

template <class Archive, WireOf<RemotePushJob::Group> T>
void wire(Archive& archive, T& group) {
  auto& [request, manifest, entries] = group;
  archive(request, manifest, entries);
}

template <class Archive, WireOf<RemotePushJob> T>
void wire(Archive& archive, T& job) {
  auto& [place, groups] = job;
  archive(place, groups);
}

template <class Archive, WireOf<RemotePushed> T>
void wire(Archive& archive, T& pushed) {
  auto& [count, already_there] = pushed;
  archive(count, already_there);
}

}  // namespace kiln
